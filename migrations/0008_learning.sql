CREATE TABLE `learners` (
	`module_id` text NOT NULL,
	`learner_id` text NOT NULL,
	`seen` text DEFAULT '[]' NOT NULL,
	`again` text DEFAULT '[]' NOT NULL,
	`seen_seconds` integer DEFAULT 0 NOT NULL,
	`position_s` integer DEFAULT 0 NOT NULL,
	`completed_at` integer,
	`first_at` integer NOT NULL,
	`last_at` integer NOT NULL,
	`version` integer DEFAULT 0 NOT NULL,
	`last_report` text DEFAULT '' NOT NULL,
	PRIMARY KEY(`module_id`, `learner_id`)
);
--> statement-breakpoint
CREATE TABLE `learning_counts` (
	`module_id` text NOT NULL,
	`kind` text NOT NULL,
	`at_s` integer NOT NULL,
	`learners` integer NOT NULL,
	PRIMARY KEY(`module_id`, `kind`, `at_s`)
);
--> statement-breakpoint
CREATE TABLE `learning_sessions` (
	`module_id` text NOT NULL,
	`learner_id` text NOT NULL,
	`session_id` text NOT NULL,
	`seq` integer NOT NULL,
	`played` text NOT NULL,
	`position_s` integer NOT NULL,
	`started_at` integer NOT NULL,
	`last_at` integer NOT NULL,
	PRIMARY KEY(`module_id`, `learner_id`, `session_id`)
);
--> statement-breakpoint
CREATE TABLE `learning_steps` (
	`module_id` text NOT NULL,
	`step_id` text NOT NULL,
	`start_ms` integer NOT NULL,
	`end_ms` integer NOT NULL,
	`reached` integer NOT NULL,
	`finished` integer NOT NULL,
	`rewatched` integer NOT NULL,
	PRIMARY KEY(`module_id`, `step_id`)
);
--> statement-breakpoint
CREATE TABLE `learning_totals` (
	`module_id` text PRIMARY KEY NOT NULL,
	`learners` integer NOT NULL,
	`completed` integer NOT NULL,
	`seen_seconds` integer NOT NULL,
	`version` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `modules` ADD `completion_percent` integer DEFAULT 90 NOT NULL;
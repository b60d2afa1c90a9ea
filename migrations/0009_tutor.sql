DROP TABLE `questions`;
--> statement-breakpoint
CREATE TABLE `questions` (
	`id` text PRIMARY KEY NOT NULL,
	`module_id` text NOT NULL,
	`user_id` text NOT NULL,
	`turn_id` text NOT NULL,
	`step_id` text,
	`video_time_ms` integer,
	`question` text NOT NULL,
	`answer` text DEFAULT '' NOT NULL,
	`is_covered` integer,
	`meta` text,
	`answered_by` text,
	`outcome` text,
	`created_at` integer NOT NULL,
	`ended_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `questions_by_turn` ON `questions` (`module_id`,`user_id`,`turn_id`);--> statement-breakpoint
CREATE INDEX `questions_by_conversation` ON `questions` (`module_id`,`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `questions_by_step` ON `questions` (`module_id`,`step_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `questions_by_end` ON `questions` (`outcome`,`created_at`);--> statement-breakpoint
CREATE TABLE `tutor_days` (
	`module_id` text NOT NULL,
	`day` text NOT NULL,
	`model_answers` integer NOT NULL,
	PRIMARY KEY(`module_id`, `day`)
);

CREATE TABLE `learning_uses` (
	`day` text NOT NULL,
	`who` text NOT NULL,
	`learners` integer NOT NULL,
	`reports` integer NOT NULL,
	PRIMARY KEY(`day`, `who`)
);
--> statement-breakpoint
ALTER TABLE `learners` ADD `verified` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `learners` ADD `verified_seconds` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `learners` ADD `credited_until` integer;--> statement-breakpoint
ALTER TABLE `learning_sessions` ADD `is_self_reported` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `learning_steps` ADD `left_by_percent` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `learning_steps` ADD `counted_to` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `learning_totals` ADD `percents` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `learning_totals` ADD `verified` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `learning_totals` ADD `curve` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `learning_totals` ADD `recount` text DEFAULT '' NOT NULL;
CREATE TABLE `step_reports` (
	`module_id` text NOT NULL,
	`id` text NOT NULL,
	`step_id` text,
	`kind` text NOT NULL,
	`text` text NOT NULL,
	`photo_type` text,
	`learner_id` text NOT NULL,
	`is_ignored` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL,
	`settled_at` integer,
	`answer` text DEFAULT '' NOT NULL,
	PRIMARY KEY(`module_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `step_reports_open` ON `step_reports` (`module_id`,`created_at`) WHERE settled_at IS NULL AND is_ignored = 0;--> statement-breakpoint
CREATE INDEX `step_reports_by_learner` ON `step_reports` (`learner_id`,`module_id`);--> statement-breakpoint
CREATE INDEX `step_reports_expiring` ON `step_reports` (`created_at`) WHERE (photo_type IS NOT NULL OR settled_at IS NOT NULL OR is_ignored = 1);--> statement-breakpoint
ALTER TABLE `modules` ADD `takes_reports` integer;--> statement-breakpoint
ALTER TABLE `deleted_modules` ADD `takes_reports` integer;
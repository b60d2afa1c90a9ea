CREATE TABLE `removed_steps` (
	`module_id` text NOT NULL,
	`id` text NOT NULL,
	`removed_at` integer NOT NULL,
	`step` text NOT NULL,
	PRIMARY KEY(`module_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `removed_steps_by_time` ON `removed_steps` (`removed_at`);--> statement-breakpoint
ALTER TABLE `modules` ADD `learner_source` text;--> statement-breakpoint
ALTER TABLE `modules` ADD `replaces_id` text;--> statement-breakpoint
CREATE INDEX `modules_by_replaced` ON `modules` (`replaces_id`) WHERE replaces_id IS NOT NULL;--> statement-breakpoint
ALTER TABLE `deleted_modules` ADD `learner_source` text;--> statement-breakpoint
ALTER TABLE `deleted_modules` ADD `replaces_id` text;
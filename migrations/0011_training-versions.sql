CREATE TABLE `training_versions` (
	`module_id` text NOT NULL,
	`number` integer NOT NULL,
	`hash` text NOT NULL,
	`note` text NOT NULL,
	`retraining` text NOT NULL,
	`user_id` text NOT NULL,
	`published_at` integer NOT NULL,
	`title` text NOT NULL,
	`step_count` integer NOT NULL,
	`steps_version` integer NOT NULL,
	PRIMARY KEY(`module_id`, `number`)
);
--> statement-breakpoint
CREATE INDEX `training_versions_by_user` ON `training_versions` (`user_id`,`published_at`);--> statement-breakpoint
ALTER TABLE `modules` ADD `published_version` integer;--> statement-breakpoint
ALTER TABLE `step_images` ADD `is_published` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `deleted_modules` ADD `published_version` integer;
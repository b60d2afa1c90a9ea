CREATE TABLE `version_reviews` (
	`module_id` text PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`note` text NOT NULL,
	`retraining` text NOT NULL,
	`user_id` text NOT NULL,
	`name` text NOT NULL,
	`asked_at` integer NOT NULL,
	`answered_by` text,
	`answer_name` text,
	`reason` text,
	`answered_at` integer
);
--> statement-breakpoint
CREATE INDEX `version_reviews_by_user` ON `version_reviews` (`user_id`);--> statement-breakpoint
CREATE INDEX `version_reviews_by_answer` ON `version_reviews` (`answered_by`) WHERE answered_by IS NOT NULL;--> statement-breakpoint
ALTER TABLE `modules` ADD `edited_by` text;--> statement-breakpoint
CREATE INDEX `modules_by_editor` ON `modules` (`edited_by`) WHERE edited_by IS NOT NULL;--> statement-breakpoint
ALTER TABLE `deleted_modules` ADD `edited_by` text;--> statement-breakpoint
CREATE INDEX `deleted_modules_by_editor` ON `deleted_modules` (`edited_by`) WHERE edited_by IS NOT NULL;--> statement-breakpoint
ALTER TABLE `glossaries` ADD `publishers` text DEFAULT 'anyone' NOT NULL;--> statement-breakpoint
ALTER TABLE `training_versions` ADD `approval` text;
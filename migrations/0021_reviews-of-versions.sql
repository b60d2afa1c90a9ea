CREATE TABLE `review_comments` (
	`id` text PRIMARY KEY NOT NULL,
	`module_id` text NOT NULL,
	`number` integer,
	`step_id` text NOT NULL,
	`user_id` text NOT NULL,
	`name` text NOT NULL,
	`text` text NOT NULL,
	`created_at` integer NOT NULL,
	`resolved_at` integer
);
--> statement-breakpoint
CREATE INDEX `review_comments_by_module` ON `review_comments` (`module_id`,`number`,`created_at`);--> statement-breakpoint
CREATE INDEX `review_comments_by_user` ON `review_comments` (`user_id`,`id`);--> statement-breakpoint
CREATE TABLE `version_checks` (
	`id` text PRIMARY KEY NOT NULL,
	`module_id` text NOT NULL,
	`number` integer NOT NULL,
	`user_id` text NOT NULL,
	`name` text NOT NULL,
	`checked_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `version_checks_by_module` ON `version_checks` (`module_id`,`checked_at`);--> statement-breakpoint
CREATE INDEX `version_checks_by_user` ON `version_checks` (`user_id`);--> statement-breakpoint
ALTER TABLE `modules` ADD `review_months` integer;--> statement-breakpoint
ALTER TABLE `modules` ADD `review_due_at` integer;--> statement-breakpoint
CREATE INDEX `modules_review_due_by_user` ON `modules` (`user_id`,`review_due_at`,`id`) WHERE review_due_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `modules_review_due_by_org` ON `modules` (`org_id`,`review_due_at`,`id`) WHERE review_due_at IS NOT NULL;--> statement-breakpoint
ALTER TABLE `deleted_modules` ADD `review_months` integer;--> statement-breakpoint
ALTER TABLE `deleted_modules` ADD `review_due_at` integer;--> statement-breakpoint
ALTER TABLE `glossaries` ADD `publishes_versions` integer DEFAULT false NOT NULL;
CREATE TABLE `invitations` (
	`id` text PRIMARY KEY NOT NULL,
	`module_id` text NOT NULL,
	`name` text NOT NULL,
	`link_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`user_id` text,
	`user_name` text,
	`accepted_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_by_link` ON `invitations` (`link_hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_by_module` ON `invitations` (`module_id`,`user_id`);--> statement-breakpoint
CREATE INDEX `invitations_by_user` ON `invitations` (`user_id`,`accepted_at`) WHERE user_id IS NOT NULL;--> statement-breakpoint
ALTER TABLE `trainer_answers` ADD `moment_ms` integer;--> statement-breakpoint
ALTER TABLE `assignments` ADD `counts_earlier` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `glossaries` ADD `shows_effort` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `training_versions` ADD `timeline` text;
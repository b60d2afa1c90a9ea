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
CREATE INDEX `invitations_open` ON `invitations` (`expires_at`) WHERE user_id IS NULL;--> statement-breakpoint
CREATE TABLE `webhooks` (
	`org_id` text PRIMARY KEY NOT NULL,
	`url` text NOT NULL,
	`secret` text NOT NULL,
	`ok_at` integer,
	`failed_at` integer,
	`failure` text,
	`stopped_at` integer,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `trainer_answers` ADD `moment_ms` integer;--> statement-breakpoint
ALTER TABLE `assignments` ADD `counts_earlier` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `people` ADD `email` text;--> statement-breakpoint
ALTER TABLE `person_trainings` ADD `reminded_of` integer;--> statement-breakpoint
ALTER TABLE `person_trainings` ADD `reminded_stage` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `person_trainings` ADD `overdue_told` integer;--> statement-breakpoint
ALTER TABLE `glossaries` ADD `shows_effort` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `glossaries` ADD `sends_reminders` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `glossaries` ADD `planned_day` text;--> statement-breakpoint
ALTER TABLE `glossaries` ADD `checkpoint_mail` text;--> statement-breakpoint
ALTER TABLE `training_versions` ADD `timeline` text;
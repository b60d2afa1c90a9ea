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
ALTER TABLE `people` ADD `email` text;--> statement-breakpoint
ALTER TABLE `person_trainings` ADD `reminded_of` integer;--> statement-breakpoint
ALTER TABLE `person_trainings` ADD `reminded_stage` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `person_trainings` ADD `overdue_told` integer;--> statement-breakpoint
ALTER TABLE `glossaries` ADD `sends_reminders` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `glossaries` ADD `planned_day` text;--> statement-breakpoint
ALTER TABLE `glossaries` ADD `checkpoint_mail` text;
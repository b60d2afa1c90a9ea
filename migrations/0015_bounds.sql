CREATE TABLE `learning_uses` (
	`day` text NOT NULL,
	`who` text NOT NULL,
	`learners` integer NOT NULL,
	`reports` integer NOT NULL,
	PRIMARY KEY(`day`, `who`)
);
--> statement-breakpoint
CREATE TABLE `opened_modules` (
	`user_id` text NOT NULL,
	`module_id` text NOT NULL,
	`opened_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `module_id`)
);
--> statement-breakpoint
CREATE INDEX `opened_modules_by_user` ON `opened_modules` (`user_id`,`opened_at`,`module_id`);--> statement-breakpoint
CREATE INDEX `opened_modules_by_module` ON `opened_modules` (`module_id`);--> statement-breakpoint
CREATE TABLE `tasks` (
	`module_id` text NOT NULL,
	`run` integer NOT NULL,
	`kind` text NOT NULL,
	`idx` integer NOT NULL,
	`state` text DEFAULT 'ready' NOT NULL,
	`lease_until` integer DEFAULT 0 NOT NULL,
	`lease_id` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` integer NOT NULL,
	`busy_since` integer,
	`size_bytes` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`module_id`, `run`, `kind`, `idx`)
);
--> statement-breakpoint
CREATE INDEX `tasks_ready` ON `tasks` (`module_id`,`run`,`kind`,`idx`) WHERE state = 'ready';--> statement-breakpoint
DROP INDEX `audio_parts_by_hearing`;--> statement-breakpoint
ALTER TABLE `audio_parts` ADD `etag` text;--> statement-breakpoint
ALTER TABLE `audio_parts` DROP COLUMN `tries`;--> statement-breakpoint
ALTER TABLE `audio_parts` DROP COLUMN `busy_until`;--> statement-breakpoint
ALTER TABLE `runs` ADD `request_id` text;--> statement-breakpoint
CREATE INDEX `runs_open` ON `runs` (`admitted_at`) WHERE admitted_at IS NOT NULL AND ended_at IS NULL;--> statement-breakpoint
ALTER TABLE `learners` ADD `verified` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `learners` ADD `verified_seconds` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `learners` ADD `credited_until` integer;--> statement-breakpoint
ALTER TABLE `learning_sessions` ADD `is_self_reported` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `learning_steps` ADD `left_by_percent` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `learning_steps` ADD `counted_to` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `learning_totals` ADD `percents` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `learning_totals` ADD `verified` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `learning_totals` ADD `curve` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `learning_totals` ADD `recount` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `quota_uses` ADD `refund_at` integer;--> statement-breakpoint
ALTER TABLE `quota_uses` ADD `refund` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `quota_uses_to_refund` ON `quota_uses` (`refund_at`) WHERE refund_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `transcript_segments_edited` ON `transcript_segments` (`module_id`,`edited_at`) WHERE edited_at IS NOT NULL;--> statement-breakpoint
ALTER TABLE `stretches` DROP COLUMN `tries`;--> statement-breakpoint
ALTER TABLE `stretches` DROP COLUMN `busy_until`;
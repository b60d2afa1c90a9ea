CREATE TABLE `dismissed_steps` (
	`module_id` text NOT NULL,
	`id` text NOT NULL,
	PRIMARY KEY(`module_id`, `id`)
);
--> statement-breakpoint
CREATE TABLE `step_proposals` (
	`module_id` text NOT NULL,
	`id` text NOT NULL,
	`position` integer NOT NULL,
	`title` text NOT NULL,
	`description` text NOT NULL,
	`start_ms` integer NOT NULL,
	`end_ms` integer NOT NULL,
	`original_text` text NOT NULL,
	`segment_ids` text NOT NULL,
	`is_draft` integer NOT NULL,
	`run` integer NOT NULL,
	PRIMARY KEY(`module_id`, `id`)
);
--> statement-breakpoint
CREATE TABLE `stretches` (
	`module_id` text NOT NULL,
	`run` integer NOT NULL,
	`stretch` integer NOT NULL,
	`from_position` integer NOT NULL,
	`to_position` integer NOT NULL,
	`status` text DEFAULT 'planned' NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	`busy_until` integer DEFAULT 0 NOT NULL,
	`steps` text,
	`is_draft` integer DEFAULT false NOT NULL,
	PRIMARY KEY(`module_id`, `run`, `stretch`)
);
--> statement-breakpoint
DROP INDEX `transcript_segments_in_order`;--> statement-breakpoint
ALTER TABLE `transcript_segments` ADD `run` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `transcript_segments_in_order` ON `transcript_segments` (`module_id`,`run`,`position`);--> statement-breakpoint
ALTER TABLE `audio_parts` ADD `size_bytes` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `audio_parts` ADD `busy_until` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `modules` ADD `transcript_run` integer;--> statement-breakpoint
ALTER TABLE `modules` ADD `edited_version` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `runs` ADD `request` text;--> statement-breakpoint
ALTER TABLE `runs` ADD `is_live` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `runs` ADD `admitted_at` integer;--> statement-breakpoint
ALTER TABLE `runs` ADD `heard_count` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `runs` ADD `heard_ms` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `runs` ADD `spoken_ms` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `runs` ADD `word_count` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `runs` ADD `confidence_sum` real DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `runs` ADD `formed_stretches` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `runs` ADD `formed_until_ms` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `runs` ADD `formed_segments` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `runs` ADD `stretch_count` integer;--> statement-breakpoint
ALTER TABLE `runs` ADD `written_stretches` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `steps` ADD `added_version` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE `modules` SET `transcript_run` = 0 WHERE `transcript_source` IS NOT NULL;--> statement-breakpoint
UPDATE `modules` SET `edited_version` = `steps_version`;--> statement-breakpoint
UPDATE `runs` SET `admitted_at` = `started_at`;--> statement-breakpoint
UPDATE `audio_parts` SET `status` = 'planned' WHERE EXISTS (SELECT 1 FROM `runs` WHERE `runs`.`module_id` = `audio_parts`.`module_id` AND `runs`.`run` = `audio_parts`.`run` AND `runs`.`ended_at` IS NULL);

ALTER TABLE `modules` ADD `redrives` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `audio_parts_by_hearing` ON `audio_parts` (`heard_at`);
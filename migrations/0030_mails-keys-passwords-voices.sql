ALTER TABLE `audio_chunks` ADD `voices` text;--> statement-breakpoint
ALTER TABLE `questions` ADD `asked_in` text;--> statement-breakpoint
ALTER TABLE `glossaries` ADD `matrix_key_hash` text;--> statement-breakpoint
ALTER TABLE `glossaries` ADD `password_minutes` integer;--> statement-breakpoint
CREATE INDEX `glossaries_by_matrix_key` ON `glossaries` (`matrix_key_hash`) WHERE matrix_key_hash IS NOT NULL;--> statement-breakpoint
ALTER TABLE `training_versions` ADD `review_told` integer;
ALTER TABLE `audio_chunks` ADD `voices` text;--> statement-breakpoint
ALTER TABLE `questions` ADD `asked_in` text;--> statement-breakpoint
ALTER TABLE `training_versions` ADD `review_told` integer;
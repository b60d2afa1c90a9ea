ALTER TABLE `questions` ADD `settled_at` integer;--> statement-breakpoint
CREATE INDEX `questions_open` ON `questions` (`module_id`,`created_at`,`answered_by`,`settled_at`) WHERE settled_at IS NULL;
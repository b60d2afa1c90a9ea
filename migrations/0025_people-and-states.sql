ALTER TABLE `people` ADD `access_from` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `person_trainings` ADD `timeline` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `person_trainings` ADD `done_hash` text;--> statement-breakpoint
ALTER TABLE `training_versions` ADD `is_asked` integer DEFAULT true NOT NULL;--> statement-breakpoint
CREATE INDEX `training_versions_to_ask` ON `training_versions` (`published_at`) WHERE is_asked = 0;
ALTER TABLE `person_trainings` ADD `base` text;--> statement-breakpoint
ALTER TABLE `person_trainings` ADD `base_seq` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `glossaries` ADD `record_months` integer;--> statement-breakpoint
ALTER TABLE `glossaries` ADD `record_hold` text;--> statement-breakpoint
ALTER TABLE `glossaries` ADD `checkpoint_seq` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `glossaries` ADD `checkpoint_hash` text;--> statement-breakpoint
ALTER TABLE `glossaries` ADD `checkpoint_day` text;--> statement-breakpoint
CREATE INDEX `glossaries_by_record_months` ON `glossaries` (`record_months`) WHERE record_months IS NOT NULL;--> statement-breakpoint
CREATE INDEX `training_records_by_kind` ON `training_records` (`org_id`,`kind`,`seq`);
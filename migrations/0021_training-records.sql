CREATE TABLE `assignments` (
	`org_id` text NOT NULL,
	`id` text NOT NULL,
	`module_id` text,
	`collection_id` text,
	`group_ids` text NOT NULL,
	`person_ids` text NOT NULL,
	`rule` text NOT NULL,
	`due_at` integer,
	`due_days` integer,
	`every_months` integer,
	`by_person_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`ended_at` integer,
	PRIMARY KEY(`org_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `assignments_by_age` ON `assignments` (`org_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `assignments_by_module` ON `assignments` (`module_id`);--> statement-breakpoint
CREATE INDEX `assignments_by_collection` ON `assignments` (`collection_id`);--> statement-breakpoint
CREATE TABLE `group_people` (
	`org_id` text NOT NULL,
	`group_id` text NOT NULL,
	`person_id` text NOT NULL,
	PRIMARY KEY(`org_id`, `group_id`, `person_id`)
);
--> statement-breakpoint
CREATE INDEX `group_people_by_person` ON `group_people` (`org_id`,`person_id`);--> statement-breakpoint
CREATE TABLE `people` (
	`org_id` text NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`number` text,
	`commitment` text NOT NULL,
	`names` text NOT NULL,
	`user_id` text,
	`link_hash` text,
	`code_hash` text,
	`is_active` integer DEFAULT true NOT NULL,
	`joined_to` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`org_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `people_by_name` ON `people` (`org_id`,`is_active`,`name`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `people_by_number` ON `people` (`org_id`,`number`) WHERE number IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `people_by_user` ON `people` (`user_id`,`org_id`) WHERE user_id IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `people_by_link` ON `people` (`link_hash`) WHERE link_hash IS NOT NULL;--> statement-breakpoint
CREATE TABLE `people_groups` (
	`org_id` text NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`link_hash` text,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`org_id`, `id`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `people_groups_by_link` ON `people_groups` (`link_hash`) WHERE link_hash IS NOT NULL;--> statement-breakpoint
CREATE TABLE `person_trainings` (
	`org_id` text NOT NULL,
	`person_id` text NOT NULL,
	`module_id` text NOT NULL,
	`known` text NOT NULL,
	`seq` integer NOT NULL,
	PRIMARY KEY(`org_id`, `person_id`, `module_id`)
);
--> statement-breakpoint
CREATE INDEX `person_trainings_by_module` ON `person_trainings` (`module_id`,`org_id`);--> statement-breakpoint
CREATE TABLE `record_subjects` (
	`org_id` text NOT NULL,
	`person_id` text NOT NULL,
	`module_id` text NOT NULL,
	`seq` integer NOT NULL,
	PRIMARY KEY(`org_id`, `person_id`, `module_id`, `seq`)
);
--> statement-breakpoint
CREATE INDEX `record_subjects_by_module` ON `record_subjects` (`org_id`,`module_id`,`seq`);--> statement-breakpoint
CREATE TABLE `training_records` (
	`org_id` text NOT NULL,
	`seq` integer NOT NULL,
	`hash` text NOT NULL,
	`text` text NOT NULL,
	`kind` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`org_id`, `seq`)
);
--> statement-breakpoint
ALTER TABLE `glossaries` ADD `records_from` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `glossaries` ADD `records_from_hash` text;--> statement-breakpoint
ALTER TABLE `glossaries` ADD `time_zone` text;--> statement-breakpoint
-- Records are only added (docs/decisions/training-records.md).
CREATE TRIGGER `training_records_no_update` BEFORE UPDATE ON `training_records`
BEGIN
  SELECT RAISE(ABORT, 'training records are append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `training_records_no_delete` BEFORE DELETE ON `training_records`
WHEN OLD.`seq` >= COALESCE((SELECT `records_from` FROM `glossaries` WHERE `org_id` = OLD.`org_id`), 1)
BEGIN
  SELECT RAISE(ABORT, 'training records are append-only');
END;
--> statement-breakpoint
-- INSERT OR REPLACE deletes without asking the trigger of deletes.
CREATE TRIGGER `training_records_no_replace` BEFORE INSERT ON `training_records`
WHEN NEW.`seq` <= COALESCE((SELECT max(`seq`) FROM `training_records` WHERE `org_id` = NEW.`org_id`), 0)
BEGIN
  SELECT RAISE(ABORT, 'training records are append-only: this number is taken');
END;

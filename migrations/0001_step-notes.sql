ALTER TABLE `step_proposals` ADD `notes` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `steps` ADD `notes_quotable` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `steps` ADD `notes_edited` integer DEFAULT false NOT NULL;--> statement-breakpoint
UPDATE `steps` SET `notes_edited` = true WHERE `notes` <> '';

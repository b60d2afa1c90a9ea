ALTER TABLE `step_proposals` ADD `commands` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `steps` ADD `commands` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `steps` ADD `before_screen` text;
ALTER TABLE `modules` ADD `screen_key` text;--> statement-breakpoint
ALTER TABLE `modules` ADD `reads_screen` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `deleted_modules` ADD `screen_key` text;--> statement-breakpoint
ALTER TABLE `deleted_modules` ADD `reads_screen` integer DEFAULT true NOT NULL;
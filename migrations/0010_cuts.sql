ALTER TABLE `modules` ADD `cuts` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `deleted_modules` ADD `cuts` text DEFAULT '[]' NOT NULL;
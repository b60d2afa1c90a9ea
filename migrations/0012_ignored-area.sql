ALTER TABLE `modules` ADD `ignored_area` text;--> statement-breakpoint
ALTER TABLE `deleted_modules` ADD `ignored_area` text;
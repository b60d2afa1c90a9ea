CREATE TABLE `replaced_links` (
	`id` text PRIMARY KEY NOT NULL,
	`module_id` text NOT NULL,
	`forwards` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `replaced_links_by_module` ON `replaced_links` (`module_id`);--> statement-breakpoint
ALTER TABLE `modules` ADD `link_code` text;--> statement-breakpoint
ALTER TABLE `modules` ADD `link_ends_at` integer;--> statement-breakpoint
ALTER TABLE `modules` ADD `link_password` text;--> statement-breakpoint
ALTER TABLE `modules` ADD `link_misses` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `modules` ADD `link_missed_at` integer;--> statement-breakpoint
CREATE INDEX `modules_by_link` ON `modules` (`link_code`) WHERE link_code IS NOT NULL;--> statement-breakpoint
ALTER TABLE `deleted_modules` ADD `link_code` text;--> statement-breakpoint
ALTER TABLE `deleted_modules` ADD `link_ends_at` integer;--> statement-breakpoint
ALTER TABLE `deleted_modules` ADD `link_password` text;--> statement-breakpoint
ALTER TABLE `deleted_modules` ADD `link_misses` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `deleted_modules` ADD `link_missed_at` integer;
CREATE TABLE `opened_modules` (
	`user_id` text NOT NULL,
	`module_id` text NOT NULL,
	`opened_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `module_id`)
);
--> statement-breakpoint
CREATE INDEX `opened_modules_by_user` ON `opened_modules` (`user_id`,`opened_at`,`module_id`);--> statement-breakpoint
CREATE INDEX `opened_modules_by_module` ON `opened_modules` (`module_id`);
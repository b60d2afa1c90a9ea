CREATE TABLE `quota_uses` (
	`module_id` text NOT NULL,
	`kind` text NOT NULL,
	`day` text NOT NULL,
	`user_id` text NOT NULL,
	`org_id` text,
	`amount` integer NOT NULL,
	PRIMARY KEY(`module_id`, `kind`, `day`)
);
--> statement-breakpoint
CREATE INDEX `quota_uses_by_user` ON `quota_uses` (`user_id`,`kind`,`day`,`amount`);--> statement-breakpoint
CREATE INDEX `quota_uses_by_org` ON `quota_uses` (`org_id`,`kind`,`day`,`amount`);
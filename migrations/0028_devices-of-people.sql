ALTER TABLE `people` ADD `is_name_checked` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `people` ADD `link_from` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `people` ADD `code_from` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `people_groups` ADD `link_from` integer DEFAULT 0 NOT NULL;
ALTER TABLE `modules` ADD `small_copy` text;--> statement-breakpoint
CREATE INDEX `modules_without_small_by_user` ON `modules` (`user_id`,`created_at`,`id`) WHERE small_copy IS NULL AND status = 'READY' AND source_size_bytes >= 10000000 AND source_size_bytes * 8 >= duration_ms * 500;--> statement-breakpoint
CREATE INDEX `modules_without_small_by_org` ON `modules` (`org_id`,`created_at`,`id`) WHERE small_copy IS NULL AND status = 'READY' AND source_size_bytes >= 10000000 AND source_size_bytes * 8 >= duration_ms * 500;--> statement-breakpoint
ALTER TABLE `deleted_modules` ADD `small_copy` text;
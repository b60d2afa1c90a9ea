ALTER TABLE `step_proposals` ADD `decision` text;--> statement-breakpoint
ALTER TABLE `step_proposals` ADD `replaced` text;--> statement-breakpoint
ALTER TABLE `transcript_segments` ADD `heard_text` text;--> statement-breakpoint
ALTER TABLE `transcript_segments` ADD `edited_at` integer;--> statement-breakpoint
CREATE INDEX `feedback_by_kind` ON `feedback` (`module_id`,`type`,`action`);--> statement-breakpoint
CREATE INDEX `feedback_by_user` ON `feedback` (`user_id`,`created_at`);
ALTER TABLE `audio_parts` ADD `etag` text;--> statement-breakpoint
ALTER TABLE `quota_uses` ADD `refund_at` integer;--> statement-breakpoint
ALTER TABLE `quota_uses` ADD `refund` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `quota_uses_to_refund` ON `quota_uses` (`refund_at`) WHERE refund_at IS NOT NULL;
ALTER TABLE `assignments` ADD `settle_at` integer;--> statement-breakpoint
CREATE INDEX `assignments_to_settle` ON `assignments` (`settle_at`) WHERE settle_at IS NOT NULL;
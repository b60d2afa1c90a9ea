CREATE TABLE `erased_learners` (
	`who` text PRIMARY KEY NOT NULL,
	`erased_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `erased_learners_by_time` ON `erased_learners` (`erased_at`);--> statement-breakpoint
CREATE INDEX `glossaries_by_update` ON `glossaries` (`updated_at`);
CREATE TABLE `account_erasures` (
	`user_id` text PRIMARY KEY NOT NULL,
	`alias` text NOT NULL,
	`requested_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `deleted_modules` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`org_id` text,
	`title` text NOT NULL,
	`title_folded` text DEFAULT '' NOT NULL,
	`filename` text NOT NULL,
	`status` text NOT NULL,
	`progress` integer DEFAULT 0 NOT NULL,
	`message` text NOT NULL,
	`failure_code` text,
	`last_error` text,
	`shared` integer DEFAULT true NOT NULL,
	`source_key` text NOT NULL,
	`declared_type` text NOT NULL,
	`declared_size_bytes` integer,
	`declared_duration_ms` integer,
	`fingerprint` text,
	`upload_id` text,
	`uploaded_bytes` integer DEFAULT 0 NOT NULL,
	`source_etag` text,
	`source_size_bytes` integer,
	`source_type` text,
	`duration_ms` integer,
	`completion_percent` integer DEFAULT 90 NOT NULL,
	`has_poster` integer DEFAULT false NOT NULL,
	`language` text,
	`glossary` text,
	`transcript_source` text,
	`transcript_run` integer,
	`steps_version` integer DEFAULT 0 NOT NULL,
	`edited_version` integer DEFAULT 0 NOT NULL,
	`run` integer DEFAULT 0 NOT NULL,
	`redrives` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`received_at` integer,
	`updated_at` integer NOT NULL,
	`deleted_at` integer NOT NULL,
	`is_final` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE INDEX `deleted_modules_by_user` ON `deleted_modules` (`user_id`,`deleted_at`);--> statement-breakpoint
CREATE INDEX `deleted_modules_by_org` ON `deleted_modules` (`org_id`,`deleted_at`);--> statement-breakpoint
CREATE INDEX `deleted_modules_by_source` ON `deleted_modules` (`source_key`);--> statement-breakpoint
CREATE INDEX `deleted_modules_by_age` ON `deleted_modules` (`is_final`,`deleted_at`);--> statement-breakpoint
CREATE INDEX `modules_marked` ON `modules` (`deleted_at`) WHERE deleted_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `learners_by_learner` ON `learners` (`learner_id`);--> statement-breakpoint
CREATE INDEX `questions_by_user` ON `questions` (`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `tutor_days_by_day` ON `tutor_days` (`day`);
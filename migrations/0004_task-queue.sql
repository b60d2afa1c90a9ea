CREATE TABLE `task_queue` (
	`subject_kind` text NOT NULL,
	`subject_id` text NOT NULL,
	`kind` text NOT NULL,
	`idx` integer NOT NULL,
	`payload` text,
	`state` text DEFAULT 'ready' NOT NULL,
	`lease_until` integer DEFAULT 0 NOT NULL,
	`lease_id` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` integer NOT NULL,
	`busy_since` integer,
	`size_bytes` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`subject_kind`, `subject_id`, `kind`, `idx`),
	CONSTRAINT "task_queue_payload" CHECK(payload IS NULL OR length(CAST(payload AS BLOB)) <= 2048)
);
--> statement-breakpoint
CREATE INDEX `task_queue_ready` ON `task_queue` (`kind`,`subject_id`,`idx`) WHERE state = 'ready';--> statement-breakpoint
CREATE INDEX `task_queue_busy` ON `task_queue` (`kind`,`busy_since`) WHERE state = 'ready' AND busy_since IS NOT NULL;
CREATE TABLE `upload_parts` (
	`module_id` text NOT NULL,
	`part` integer NOT NULL,
	`etag` text NOT NULL,
	`size_bytes` integer NOT NULL,
	PRIMARY KEY(`module_id`, `part`)
);
--> statement-breakpoint
ALTER TABLE `modules` ADD `declared_size_bytes` integer;--> statement-breakpoint
ALTER TABLE `modules` ADD `declared_duration_ms` integer;--> statement-breakpoint
ALTER TABLE `modules` ADD `fingerprint` text;--> statement-breakpoint
ALTER TABLE `modules` ADD `upload_id` text;--> statement-breakpoint
ALTER TABLE `modules` ADD `uploaded_bytes` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `runs` ADD `sound_from` text DEFAULT 'ingest' NOT NULL;--> statement-breakpoint
ALTER TABLE `runs` ADD `is_verified` integer DEFAULT false NOT NULL;
CREATE TABLE `audio_parts` (
	`module_id` text NOT NULL,
	`run` integer NOT NULL,
	`part` integer NOT NULL,
	`key` text NOT NULL,
	`content_type` text NOT NULL,
	`audio_start_ms` integer NOT NULL,
	`audio_duration_ms` integer NOT NULL,
	`start_ms` integer NOT NULL,
	`end_ms` integer NOT NULL,
	`status` text DEFAULT 'planned' NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	`words` text,
	`confidence` real,
	`language` text,
	`heard_at` integer,
	PRIMARY KEY(`module_id`, `run`, `part`)
);
--> statement-breakpoint
CREATE TABLE `feedback` (
	`id` text PRIMARY KEY NOT NULL,
	`module_id` text,
	`user_id` text,
	`type` text NOT NULL,
	`action` text,
	`context` text,
	`user_message` text,
	`ai_response` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `feedback_by_module` ON `feedback` (`module_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `modules` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`org_id` text,
	`title` text NOT NULL,
	`filename` text NOT NULL,
	`status` text NOT NULL,
	`progress` integer DEFAULT 0 NOT NULL,
	`message` text NOT NULL,
	`failure_code` text,
	`last_error` text,
	`shared` integer DEFAULT true NOT NULL,
	`source_key` text NOT NULL,
	`declared_type` text NOT NULL,
	`source_etag` text,
	`source_size_bytes` integer,
	`source_type` text,
	`duration_ms` integer,
	`language` text,
	`glossary` text,
	`transcript_source` text,
	`steps_version` integer DEFAULT 0 NOT NULL,
	`run` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`received_at` integer,
	`updated_at` integer NOT NULL,
	`deleted_at` integer
);
--> statement-breakpoint
CREATE INDEX `modules_by_user` ON `modules` (`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `modules_by_org` ON `modules` (`org_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `modules_by_status` ON `modules` (`status`,`updated_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `modules_by_source` ON `modules` (`source_key`);--> statement-breakpoint
CREATE TABLE `questions` (
	`id` text PRIMARY KEY NOT NULL,
	`module_id` text NOT NULL,
	`user_id` text NOT NULL,
	`step_id` text,
	`video_time_ms` integer,
	`question` text NOT NULL,
	`answer` text,
	`is_answered` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `questions_by_module` ON `questions` (`module_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `runs` (
	`module_id` text NOT NULL,
	`run` integer NOT NULL,
	`trigger` text NOT NULL,
	`cursor_ms` integer,
	`part_count` integer,
	`started_at` integer NOT NULL,
	`steps_asked_at` integer,
	`ended_at` integer,
	`outcome` text,
	`failure_code` text,
	PRIMARY KEY(`module_id`, `run`)
);
--> statement-breakpoint
CREATE TABLE `steps` (
	`module_id` text NOT NULL,
	`id` text NOT NULL,
	`position` integer NOT NULL,
	`title` text NOT NULL,
	`description` text NOT NULL,
	`start_ms` integer NOT NULL,
	`end_ms` integer NOT NULL,
	`aliases` text DEFAULT '[]' NOT NULL,
	`notes` text DEFAULT '' NOT NULL,
	`original_text` text DEFAULT '' NOT NULL,
	`ai_rewrite` text,
	`segment_ids` text DEFAULT '[]' NOT NULL,
	`is_manual` integer DEFAULT false NOT NULL,
	`is_draft` integer DEFAULT false NOT NULL,
	`run` integer,
	`edited_at` integer,
	PRIMARY KEY(`module_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `steps_in_order` ON `steps` (`module_id`,`position`);--> statement-breakpoint
CREATE TABLE `transcript_segments` (
	`module_id` text NOT NULL,
	`id` text NOT NULL,
	`position` integer NOT NULL,
	`start_ms` integer NOT NULL,
	`end_ms` integer NOT NULL,
	`text` text NOT NULL,
	`confidence` real,
	PRIMARY KEY(`module_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `transcript_segments_in_order` ON `transcript_segments` (`module_id`,`position`);
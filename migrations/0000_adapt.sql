CREATE TABLE `audio_chunks` (
	`module_id` text NOT NULL,
	`run` integer NOT NULL,
	`chunk` integer NOT NULL,
	`key` text NOT NULL,
	`content_type` text NOT NULL,
	`audio_start_ms` integer NOT NULL,
	`audio_duration_ms` integer NOT NULL,
	`size_bytes` integer DEFAULT 0 NOT NULL,
	`etag` text,
	`start_ms` integer NOT NULL,
	`end_ms` integer NOT NULL,
	`status` text DEFAULT 'planned' NOT NULL,
	`words` text,
	`confidence` real,
	`language` text,
	`transcribed_at` integer,
	PRIMARY KEY(`module_id`, `run`, `chunk`)
);
--> statement-breakpoint
CREATE TABLE `dismissed_steps` (
	`module_id` text NOT NULL,
	`id` text NOT NULL,
	PRIMARY KEY(`module_id`, `id`)
);
--> statement-breakpoint
CREATE TABLE `modules` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`org_id` text,
	`title` text NOT NULL,
	`title_folded` text DEFAULT '' NOT NULL,
	`filename` text NOT NULL,
	`status` text NOT NULL,
	`run_status` text DEFAULT 'PROCESSING' NOT NULL,
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
	`early_index` text,
	`video_codec` text,
	`completion_percent` integer DEFAULT 90 NOT NULL,
	`link_answers_per_day` integer,
	`has_poster` integer DEFAULT false NOT NULL,
	`language` text,
	`glossary` text,
	`languages` text DEFAULT '[]' NOT NULL,
	`captions_key` text,
	`transcript_run` integer,
	`transcript_key` text,
	`segment_count` integer DEFAULT 0 NOT NULL,
	`steps_version` integer DEFAULT 0 NOT NULL,
	`edited_version` integer DEFAULT 0 NOT NULL,
	`made_version` integer DEFAULT 0 NOT NULL,
	`indexed_version` integer DEFAULT -1 NOT NULL,
	`run` integer DEFAULT 0 NOT NULL,
	`redrives` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`received_at` integer,
	`uploaded_at` integer,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `modules_by_user` ON `modules` (`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `modules_by_org` ON `modules` (`org_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `modules_by_run_status` ON `modules` (`run_status`,`updated_at`);--> statement-breakpoint
CREATE INDEX `modules_listed_by_user` ON `modules` (`user_id`,`created_at`,`id`,`title_folded`,`received_at`) WHERE received_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `modules_listed_by_org` ON `modules` (`org_id`,`created_at`,`id`,`title_folded`,`received_at`) WHERE received_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `modules_at_work_by_user` ON `modules` (`user_id`,`created_at`,`id`) WHERE run_status = 'PROCESSING' AND received_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `modules_at_work_by_org` ON `modules` (`org_id`,`created_at`,`id`) WHERE run_status = 'PROCESSING' AND received_at IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `modules_by_source` ON `modules` (`source_key`);--> statement-breakpoint
CREATE INDEX `modules_to_index` ON `modules` (`updated_at`) WHERE status = 'READY' AND indexed_version <> steps_version;--> statement-breakpoint
CREATE INDEX `modules_by_age` ON `modules` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `modules_without_source` ON `modules` (`created_at`,`id`) WHERE source_etag IS NULL;--> statement-breakpoint
CREATE INDEX `modules_failed` ON `modules` (`created_at`,`id`) WHERE +run_status = 'FAILED';--> statement-breakpoint
CREATE INDEX `modules_ended_busy` ON `modules` (`updated_at`) WHERE failure_code = 'ai_busy';--> statement-breakpoint
CREATE TABLE `runs` (
	`module_id` text NOT NULL,
	`run` integer NOT NULL,
	`trigger` text NOT NULL,
	`request` text,
	`audio_from` text DEFAULT 'ingest' NOT NULL,
	`is_verified` integer DEFAULT false NOT NULL,
	`is_live` integer DEFAULT true NOT NULL,
	`admitted_at` integer,
	`cursor_ms` integer,
	`chunk_count` integer,
	`started_at` integer NOT NULL,
	`transcribed_count` integer DEFAULT 0 NOT NULL,
	`transcribed_ms` integer DEFAULT 0 NOT NULL,
	`spoken_ms` integer DEFAULT 0 NOT NULL,
	`word_count` integer DEFAULT 0 NOT NULL,
	`confidence_sum` real DEFAULT 0 NOT NULL,
	`formed_sections` integer DEFAULT 0 NOT NULL,
	`formed_until_ms` integer DEFAULT 0 NOT NULL,
	`formed_segments` integer DEFAULT 0 NOT NULL,
	`section_count` integer,
	`written_sections` integer DEFAULT 0 NOT NULL,
	`outline` text,
	`ended_at` integer,
	`outcome` text,
	`failure_code` text,
	`work` text,
	`request_id` text,
	PRIMARY KEY(`module_id`, `run`)
);
--> statement-breakpoint
CREATE INDEX `runs_by_start` ON `runs` (`started_at`);--> statement-breakpoint
CREATE INDEX `runs_open` ON `runs` (`admitted_at`) WHERE admitted_at IS NOT NULL AND ended_at IS NULL;--> statement-breakpoint
CREATE TABLE `sections` (
	`module_id` text NOT NULL,
	`run` integer NOT NULL,
	`section` integer NOT NULL,
	`from_position` integer NOT NULL,
	`to_position` integer NOT NULL,
	`segments` text,
	`status` text DEFAULT 'planned' NOT NULL,
	`steps` text,
	`is_draft` integer DEFAULT false NOT NULL,
	PRIMARY KEY(`module_id`, `run`, `section`)
);
--> statement-breakpoint
CREATE TABLE `step_images` (
	`module_id` text NOT NULL,
	`name` text NOT NULL,
	`content_type` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`unused_since` integer,
	PRIMARY KEY(`module_id`, `name`)
);
--> statement-breakpoint
CREATE INDEX `step_images_unused` ON `step_images` (`unused_since`) WHERE unused_since IS NOT NULL;--> statement-breakpoint
CREATE TABLE `step_proposals` (
	`module_id` text NOT NULL,
	`id` text NOT NULL,
	`position` integer NOT NULL,
	`title` text NOT NULL,
	`description` text NOT NULL,
	`start_ms` integer NOT NULL,
	`end_ms` integer NOT NULL,
	`original_text` text DEFAULT '' NOT NULL,
	`segment_ids` text DEFAULT '[]' NOT NULL,
	`is_draft` integer DEFAULT false NOT NULL,
	`chapter` text,
	`proposed_callouts` text DEFAULT '[]' NOT NULL,
	`run` integer NOT NULL,
	`decision` text,
	`replaced` text,
	PRIMARY KEY(`module_id`, `id`)
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
	`original_text` text DEFAULT '' NOT NULL,
	`segment_ids` text DEFAULT '[]' NOT NULL,
	`is_draft` integer DEFAULT false NOT NULL,
	`chapter` text,
	`proposed_callouts` text DEFAULT '[]' NOT NULL,
	`aliases` text DEFAULT '[]' NOT NULL,
	`notes` text DEFAULT '' NOT NULL,
	`callouts` text DEFAULT '[]' NOT NULL,
	`image_at` text,
	`ai_rewrite` text,
	`before_rewrite` text,
	`is_manual` integer DEFAULT false NOT NULL,
	`run` integer,
	`edited_at` integer,
	`added_version` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`module_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `steps_in_order` ON `steps` (`module_id`,`position`);--> statement-breakpoint
CREATE TABLE `tasks` (
	`module_id` text NOT NULL,
	`run` integer NOT NULL,
	`kind` text NOT NULL,
	`idx` integer NOT NULL,
	`state` text DEFAULT 'ready' NOT NULL,
	`lease_until` integer DEFAULT 0 NOT NULL,
	`lease_id` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` integer NOT NULL,
	`busy_since` integer,
	`size_bytes` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`module_id`, `run`, `kind`, `idx`)
);
--> statement-breakpoint
CREATE INDEX `tasks_ready` ON `tasks` (`module_id`,`run`,`kind`,`idx`) WHERE state = 'ready';--> statement-breakpoint
CREATE INDEX `tasks_busy` ON `tasks` (`kind`,`busy_since`) WHERE state = 'ready' AND busy_since IS NOT NULL;--> statement-breakpoint
CREATE INDEX `tasks_translate` ON `tasks` (`module_id`) WHERE kind = 'translate' AND state = 'ready';--> statement-breakpoint
CREATE TABLE `transcript_corrections` (
	`module_id` text NOT NULL,
	`segment_id` text NOT NULL,
	`start_ms` integer NOT NULL,
	`end_ms` integer NOT NULL,
	`transcribed_text` text NOT NULL,
	`text` text NOT NULL,
	`edited_at` integer NOT NULL,
	PRIMARY KEY(`module_id`, `segment_id`)
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
CREATE INDEX `feedback_by_kind` ON `feedback` (`module_id`,`type`,`action`);--> statement-breakpoint
CREATE INDEX `feedback_by_user` ON `feedback` (`user_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `learners` (
	`module_id` text NOT NULL,
	`learner_id` text NOT NULL,
	`seen` text DEFAULT '[]' NOT NULL,
	`again` text DEFAULT '[]' NOT NULL,
	`seen_seconds` integer DEFAULT 0 NOT NULL,
	`verified` text DEFAULT '[]' NOT NULL,
	`verified_seconds` integer DEFAULT 0 NOT NULL,
	`credited_until` integer,
	`position_s` integer DEFAULT 0 NOT NULL,
	`completed_at` integer,
	`first_at` integer NOT NULL,
	`last_at` integer NOT NULL,
	`version` integer DEFAULT 0 NOT NULL,
	`last_report` text DEFAULT '' NOT NULL,
	PRIMARY KEY(`module_id`, `learner_id`)
);
--> statement-breakpoint
CREATE INDEX `learners_by_learner` ON `learners` (`learner_id`);--> statement-breakpoint
CREATE TABLE `learning_sessions` (
	`module_id` text NOT NULL,
	`learner_id` text NOT NULL,
	`session_id` text NOT NULL,
	`seq` integer NOT NULL,
	`played` text NOT NULL,
	`position_s` integer NOT NULL,
	`is_self_reported` integer DEFAULT false NOT NULL,
	`started_at` integer NOT NULL,
	`last_at` integer NOT NULL,
	PRIMARY KEY(`module_id`, `learner_id`, `session_id`)
);
--> statement-breakpoint
CREATE TABLE `learning_steps` (
	`module_id` text NOT NULL,
	`step_id` text NOT NULL,
	`start_ms` integer NOT NULL,
	`end_ms` integer NOT NULL,
	`reached` integer NOT NULL,
	`finished` integer NOT NULL,
	`rewatched` integer NOT NULL,
	`left_by_percent` text DEFAULT '{}' NOT NULL,
	`counted_to` text DEFAULT '' NOT NULL,
	PRIMARY KEY(`module_id`, `step_id`)
);
--> statement-breakpoint
CREATE TABLE `learning_totals` (
	`module_id` text PRIMARY KEY NOT NULL,
	`learners` integer NOT NULL,
	`seen_seconds` integer NOT NULL,
	`percents` text DEFAULT '{}' NOT NULL,
	`verified` text DEFAULT '{}' NOT NULL,
	`curve` text DEFAULT '{}' NOT NULL,
	`recount` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE `learning_uses` (
	`day` text NOT NULL,
	`who` text NOT NULL,
	`learners` integer NOT NULL,
	`reports` integer NOT NULL,
	PRIMARY KEY(`day`, `who`)
);
--> statement-breakpoint
CREATE TABLE `opened_modules` (
	`user_id` text NOT NULL,
	`module_id` text NOT NULL,
	`opened_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `module_id`)
);
--> statement-breakpoint
CREATE INDEX `opened_modules_by_user` ON `opened_modules` (`user_id`,`opened_at`,`module_id`);--> statement-breakpoint
CREATE INDEX `opened_modules_by_module` ON `opened_modules` (`module_id`);--> statement-breakpoint
CREATE TABLE `questions` (
	`id` text PRIMARY KEY NOT NULL,
	`module_id` text NOT NULL,
	`user_id` text NOT NULL,
	`turn_id` text NOT NULL,
	`step_id` text,
	`video_time_ms` integer,
	`question` text NOT NULL,
	`answer` text DEFAULT '' NOT NULL,
	`is_covered` integer,
	`meta` text,
	`answered_by` text,
	`outcome` text,
	`created_at` integer NOT NULL,
	`ended_at` integer,
	`settled_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `questions_by_turn` ON `questions` (`module_id`,`user_id`,`turn_id`);--> statement-breakpoint
CREATE INDEX `questions_by_conversation` ON `questions` (`module_id`,`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `questions_by_user` ON `questions` (`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `questions_by_step` ON `questions` (`module_id`,`step_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `questions_by_end` ON `questions` (`outcome`,`created_at`);--> statement-breakpoint
CREATE INDEX `questions_open` ON `questions` (`module_id`,`created_at`,`answered_by`,`settled_at`) WHERE settled_at IS NULL;--> statement-breakpoint
CREATE TABLE `tutor_days` (
	`module_id` text NOT NULL,
	`day` text NOT NULL,
	`model_answers` integer NOT NULL,
	`link_answers` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`module_id`, `day`)
);
--> statement-breakpoint
CREATE INDEX `tutor_days_by_day` ON `tutor_days` (`day`);--> statement-breakpoint
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
	`run_status` text DEFAULT 'PROCESSING' NOT NULL,
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
	`early_index` text,
	`video_codec` text,
	`completion_percent` integer DEFAULT 90 NOT NULL,
	`link_answers_per_day` integer,
	`has_poster` integer DEFAULT false NOT NULL,
	`language` text,
	`glossary` text,
	`languages` text DEFAULT '[]' NOT NULL,
	`captions_key` text,
	`transcript_run` integer,
	`transcript_key` text,
	`segment_count` integer DEFAULT 0 NOT NULL,
	`steps_version` integer DEFAULT 0 NOT NULL,
	`edited_version` integer DEFAULT 0 NOT NULL,
	`made_version` integer DEFAULT 0 NOT NULL,
	`indexed_version` integer DEFAULT -1 NOT NULL,
	`run` integer DEFAULT 0 NOT NULL,
	`redrives` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`received_at` integer,
	`uploaded_at` integer,
	`updated_at` integer NOT NULL,
	`deleted_at` integer NOT NULL,
	`is_final` integer DEFAULT false NOT NULL,
	`erase_tried_at` integer
);
--> statement-breakpoint
CREATE INDEX `deleted_modules_by_user` ON `deleted_modules` (`user_id`,`deleted_at`);--> statement-breakpoint
CREATE INDEX `deleted_modules_by_org` ON `deleted_modules` (`org_id`,`deleted_at`);--> statement-breakpoint
CREATE INDEX `deleted_modules_by_source` ON `deleted_modules` (`source_key`);--> statement-breakpoint
CREATE INDEX `deleted_modules_by_age` ON `deleted_modules` (`is_final`,`deleted_at`);--> statement-breakpoint
CREATE TABLE `outcomes` (
	`part` text PRIMARY KEY NOT NULL,
	`ok_at` integer,
	`failed_at` integer,
	`code` text
);
--> statement-breakpoint
CREATE TABLE `quota_uses` (
	`module_id` text NOT NULL,
	`kind` text NOT NULL,
	`day` text NOT NULL,
	`user_id` text NOT NULL,
	`org_id` text,
	`amount` integer NOT NULL,
	`refund_at` integer,
	`refund` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`module_id`, `kind`, `day`)
);
--> statement-breakpoint
CREATE INDEX `quota_uses_by_user` ON `quota_uses` (`user_id`,`kind`,`day`,`amount`);--> statement-breakpoint
CREATE INDEX `quota_uses_by_org` ON `quota_uses` (`org_id`,`kind`,`day`,`amount`);--> statement-breakpoint
CREATE INDEX `quota_uses_by_day` ON `quota_uses` (`day`,`kind`,`amount`);--> statement-breakpoint
CREATE INDEX `quota_uses_to_refund` ON `quota_uses` (`refund_at`) WHERE refund_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `upload_parts` (
	`module_id` text NOT NULL,
	`part` integer NOT NULL,
	`etag` text NOT NULL,
	`size_bytes` integer NOT NULL,
	PRIMARY KEY(`module_id`, `part`)
);
--> statement-breakpoint
CREATE TABLE `collections` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`org_id` text,
	`title` text NOT NULL,
	`module_ids` text DEFAULT '[]' NOT NULL,
	`shared` integer DEFAULT true NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `collections_by_user` ON `collections` (`user_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `collections_by_org` ON `collections` (`org_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `glossaries` (
	`org_id` text PRIMARY KEY NOT NULL,
	`words` text NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `translations` (
	`module_id` text NOT NULL,
	`language` text NOT NULL,
	`item` text NOT NULL,
	`source_hash` text NOT NULL,
	`texts` text NOT NULL,
	`writer` text NOT NULL,
	`state` text NOT NULL,
	`complaints` text DEFAULT '[]' NOT NULL,
	`earlier` text,
	`written_at` integer NOT NULL,
	PRIMARY KEY(`module_id`, `language`, `item`)
);

CREATE TABLE `trainer_answers` (
	`id` text PRIMARY KEY NOT NULL,
	`module_id` text NOT NULL,
	`question` text NOT NULL,
	`wordings` text NOT NULL,
	`text` text NOT NULL,
	`step_id` text,
	`steps_hash` text NOT NULL,
	`in_print` integer DEFAULT false NOT NULL,
	`answered_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `trainer_answers_by_module` ON `trainer_answers` (`module_id`,`answered_at`);--> statement-breakpoint
ALTER TABLE `questions` ADD `asked_at` integer;--> statement-breakpoint
ALTER TABLE `questions` ADD `answer_id` text;
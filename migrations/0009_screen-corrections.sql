CREATE TABLE `screen_corrections` (
	`module_id` text NOT NULL,
	`read_text` text NOT NULL,
	`start_ms` integer NOT NULL,
	`end_ms` integer NOT NULL,
	`text` text,
	`kind` text,
	`is_hidden` integer DEFAULT false NOT NULL,
	`edited_at` integer NOT NULL,
	PRIMARY KEY(`module_id`, `start_ms`, `read_text`)
);

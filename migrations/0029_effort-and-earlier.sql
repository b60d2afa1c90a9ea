ALTER TABLE `assignments` ADD `counts_earlier` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `glossaries` ADD `shows_effort` integer DEFAULT false NOT NULL;
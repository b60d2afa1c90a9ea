ALTER TABLE `modules` ADD `reads_screen_anyway` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `deleted_modules` ADD `reads_screen_anyway` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `glossaries` ADD `reads_screen` integer DEFAULT true NOT NULL;
ALTER TABLE `modules` ADD `audio_tracks` text;--> statement-breakpoint
ALTER TABLE `modules` ADD `audio_track` integer;--> statement-breakpoint
ALTER TABLE `modules` ADD `taken_track` integer;--> statement-breakpoint
ALTER TABLE `runs` ADD `audio_track` integer;--> statement-breakpoint
ALTER TABLE `deleted_modules` ADD `audio_tracks` text;--> statement-breakpoint
ALTER TABLE `deleted_modules` ADD `audio_track` integer;--> statement-breakpoint
ALTER TABLE `deleted_modules` ADD `taken_track` integer;
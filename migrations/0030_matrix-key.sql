ALTER TABLE `glossaries` ADD `matrix_key_hash` text;--> statement-breakpoint
CREATE UNIQUE INDEX `glossaries_by_matrix_key` ON `glossaries` (`matrix_key_hash`) WHERE matrix_key_hash IS NOT NULL;
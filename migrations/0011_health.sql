CREATE TABLE `outcomes` (
	`part` text PRIMARY KEY NOT NULL,
	`ok_at` integer,
	`failed_at` integer,
	`code` text
);

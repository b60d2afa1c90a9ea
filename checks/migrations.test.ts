import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { findUnsafeMigrations, findUnsafeStatements } from './migrations.ts'

describe('findUnsafeStatements', () => {
  it('lets a migration add', () => {
    const sql = `-- Why it is so.
CREATE TABLE \`pets\` (
	\`id\` text PRIMARY KEY NOT NULL,
	\`name\` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX \`pets_by_name\` ON \`pets\` (\`name\`);--> statement-breakpoint
CREATE TRIGGER \`pets_no_delete\` BEFORE DELETE ON \`pets\`
BEGIN
  SELECT RAISE(ABORT, 'pets stay');
END;
--> statement-breakpoint
ALTER TABLE \`modules\` ADD \`weight\` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE \`modules\` ADD \`color\` text;--> statement-breakpoint
DROP INDEX \`modules_by_user\`;--> statement-breakpoint
UPDATE \`modules\` SET \`color\` = 'red; or not';`
    expect(findUnsafeStatements(sql)).toEqual([])
  })

  it.each([
    'DROP TABLE `modules`',
    'ALTER TABLE `modules` DROP COLUMN `title`',
    'ALTER TABLE `modules` RENAME COLUMN `title` TO `name`',
    'ALTER TABLE `modules` RENAME TO `lessons`',
    'ALTER TABLE `modules` ADD `weight` integer NOT NULL',
    'CREATE UNIQUE INDEX `modules_by_title` ON `modules` (`title`)',
    'CREATE TRIGGER t BEFORE INSERT ON modules BEGIN SELECT 1; END',
    'PRAGMA foreign_keys=OFF',
    'DELETE FROM `modules` WHERE `id` = 1',
    'INSERT OR REPLACE INTO `modules` (`id`) VALUES (1)',
    'REPLACE INTO `modules` (`id`) VALUES (1)',
  ])('refuses %s', (statement) => {
    expect(findUnsafeStatements(`CREATE TABLE \`x\` (\`id\` text);\n--> statement-breakpoint\n${statement};`)).toEqual([
      statement,
    ])
  })

  it('lets go what the version that is live has stopped using, and nothing else', () => {
    const sql =
      'ALTER TABLE `a` DROP COLUMN `b`;--> statement-breakpoint\nDROP TABLE `c`;--> statement-breakpoint\nDROP TABLE `d`;'
    expect(findUnsafeStatements(sql, ['a.b', 'c'])).toEqual(['DROP TABLE `d`'])
  })
})

describe('findUnsafeMigrations', () => {
  it('names the migration of each unsafe statement', () => {
    const dir = mkdtempSync(join(tmpdir(), 'adapt-migrations-'))
    onTestFinished(() => rmSync(dir, { recursive: true }))
    writeFileSync(join(dir, '0000_adapt.sql'), 'CREATE TABLE `a` (`id` text);')
    writeFileSync(join(dir, '0001_new.sql'), 'DROP TABLE `b`;')
    expect(findUnsafeMigrations(dir)).toEqual(['0001_new: DROP TABLE `b`'])
  })
})

import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { SEEDED_ADMIN } from '#local/clerk/store/seeded-team.ts'
import { hasAcceptanceMedia } from '#local/speech/acceptance.ts'
import { hasWhisper, TESTED_MODEL } from '#local/speech/whisper/is-whisper-here.ts'
import { ensureChromium } from '#local/start/tools.ts'

/** Not the port of a developer's own run. */
const PORT = process.env['E2E_PORT'] ?? '8797'
/** A fresh machine every time; the workers of one run share it. */
process.env['E2E_STATE_DIR'] ??= mkdtempSync(join(tmpdir(), 'adapt-e2e-'))

const IS_GATE = process.env['E2E_WHOLE'] !== undefined
/** Recognising minutes of speech takes both processors; beside it, other journeys would only wait. */
const ALONE = '**/acceptance.spec.ts'

export default defineConfig({
  testDir: 'e2e',
  // Emptied at each start, which the reports beside it are not.
  outputDir: 'test-results/journeys',
  testMatch: '**/*.spec.ts',
  // Without its recordings or the recogniser a journey cannot begin; `npm test` says so.
  testIgnore: [...(hasAcceptanceMedia() ? [] : [ALONE]), ...(hasWhisper(TESTED_MODEL) ? [] : ['**/whisper.spec.ts'])],
  // Journeys wait for a third of their time; with more than two side by side, two cores would only time them out.
  workers: 2,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  forbidOnly: IS_GATE,
  // A journey has thousands of moments; the gate counts those that pass at the second try, and fails with three.
  retries: IS_GATE ? 1 : 0,
  reporter: [['list'], ['json', { outputFile: 'test-results/e2e.json' }]],
  projects: [
    { name: 'alone', testMatch: ALONE },
    // Single files, which people run, do not wait for it.
    { name: 'journeys', testIgnore: ALONE, dependencies: IS_GATE ? ['alone'] : [] },
  ],
  use: {
    baseURL: `http://localhost:${PORT}`,
    // Recording takes time in every journey, and only a failed one is looked at.
    trace: 'on-first-retry',
    permissions: ['clipboard-read', 'clipboard-write'],
    // What moves costs each picture of it, and each press a wait; newcomer.spec.ts and Firefox have motion as most people.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath: await ensureChromium(),
      args: [
        '--disable-gpu',
        // A page lives for seconds: what optimises its code costs two busy cores a quarter of what a page does.
        '--js-flags=--no-turbofan --no-maglev --single-threaded-gc',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
      ],
    },
  },
  webServer: {
    command: 'node local/start/main.mjs',
    url: `http://localhost:${PORT}/api/health`,
    env: {
      PORT,
      ADAPT_STATE_DIR: process.env['E2E_STATE_DIR'],
      OPERATOR_IDS: SEEDED_ADMIN.id,
      // What its journeys say is spoken by voices that pocketsphinx understands, in less time.
      ADAPT_WHISPER: process.env['ADAPT_WHISPER'] ?? 'off',
    },
    timeout: 300_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 20_000 },
    stdout: 'pipe',
  },
})

import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin'
import react from '@vitejs/plugin-react'
import { configDefaults, defineConfig } from 'vitest/config'
import { hasAcceptanceMedia } from '#local/speech/acceptance.ts'
import { hasWhisper, TESTED_MODEL } from '#local/speech/whisper/is-whisper-here.ts'
import { NO_QUOTAS } from '#local/start/worker-vars.ts'
import { listRows, PROMISES } from './checks/promises/promises.ts'
import { writeTestSite } from './checks/test-site.ts'

/** The seed that a failure printed; it repeats the same inputs. */
const TEST_SEED = process.env['TEST_SEED']
/** See local/testing/seed.ts. */
const provide = { testSeed: TEST_SEED === undefined ? null : Number(TEST_SEED) }

const EVERY_SETUP = ['./local/testing/seed.ts', './local/testing/deadline.ts']
/** What takes a second or two by itself is many times that on a busy machine; a test that passes waits for none of it. */
const RETRYING = { testTimeout: 60_000, expect: { poll: { timeout: 15_000 } } }

/** What needs a listening server, a bundler or a program of this machine runs in Node. */
const WITHOUT_NODE_TESTS = [...configDefaults.exclude, '**/*.node.test.ts']

export default defineConfig({
  test: {
    // A test with another tag fails.
    tags: listRows(PROMISES).map(({ tag, text }) => ({ name: tag, description: text })),
    projects: [
      {
        // Vite does not honour the package's `browser` field here, so its Node part would be loaded into workerd.
        resolve: {
          alias: {
            mediabunny: new URL('node_modules/mediabunny/dist/bundles/mediabunny.mjs', import.meta.url).pathname,
          },
        },
        plugins: [
          cloudflareTest({
            main: './local/worker.ts',
            wrangler: { configPath: './wrangler.toml' },
            remoteBindings: false,
            miniflare: {
              assets: { directory: writeTestSite(), binding: 'ASSETS' },
              bindings: {
                TEST_MIGRATIONS: await readD1Migrations('./migrations'),
                FAULT_RUNS: process.env['FAULT_RUNS'] ?? '',
                APP_ORIGINS: 'http://localhost:8787',
                CLERK_ISSUER: 'http://localhost:8787/__clerk',
                OPERATOR_IDS: 'user_operator, user_operator_2',
                R2_ACCESS_KEY_ID: 'local',
                R2_SECRET_ACCESS_KEY: 'local-only',
                TICKET_SECRET: 'test-only-ticket-secret',
                SPEECH_API_KEY: '',
                LANGUAGE_API_KEY: '',
                // Tests that are about them set them.
                ...NO_QUOTAS,
              },
            },
          }),
        ],
        test: {
          name: 'worker',
          provide,
          isolate: false,
          ...RETRYING,
          include: [
            'contract/**/*.test.ts',
            'media/**/*.test.ts',
            'records/**/*.test.ts',
            'screen/**/*.test.ts',
            'worker/**/*.test.ts',
            'local/clerk/**/*.test.ts',
            'local/edge/**/*.test.ts',
            'local/mail/**/*.test.ts',
            'local/worker.test.ts',
            'bench/pipeline/in-worker/*.test.ts',
          ],
          exclude: WITHOUT_NODE_TESTS,
          setupFiles: [...EVERY_SETUP, './local/testing/setup-worker.ts'],
        },
      },
      {
        plugins: [react()],
        test: {
          name: 'web',
          provide,
          // A fresh page per file as with processes, at a quarter of the time.
          pool: 'vmThreads',
          ...RETRYING,
          environment: 'jsdom',
          include: ['web/**/*.test.{ts,tsx}'],
          exclude: WITHOUT_NODE_TESTS,
          setupFiles: ['./checks/provide-browser.ts', ...EVERY_SETUP, './web/testing/setup-web.ts'],
        },
      },
      {
        test: {
          name: 'node',
          provide,
          ...RETRYING,
          environment: 'node',
          setupFiles: [...EVERY_SETUP],
          include: [
            'local/http/**/*.test.ts',
            'local/start/**/*.test.ts',
            'local/speech/**/*.test.ts',
            'local/testing/**/*.test.ts',
            'local/translate/**/*.test.ts',
            'local/media/**/*.test.ts',
            'checks/**/*.test.ts',
            'cloud/**/*.test.ts',
            'e2e/chaos/**/*.test.ts',
            'bench/pipeline/*.test.ts',
            'bench/hearing/*.test.ts',
            'bench/screen/*.test.ts',
            'bench/*.test.ts',
            'worker/**/*.node.test.ts',
            'media/**/*.node.test.ts',
            'web/**/*.node.test.ts',
          ],
          exclude: [
            ...configDefaults.exclude,
            ...(hasWhisper(TESTED_MODEL) ? [] : ['local/speech/whisper-recogniser.test.ts']),
            ...(hasWhisper(TESTED_MODEL) && hasAcceptanceMedia()
              ? []
              : ['local/speech/behaviour/real-whisper.test.ts']),
          ],
        },
      },
    ],
  },
})

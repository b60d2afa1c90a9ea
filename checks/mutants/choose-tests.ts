import { dirname } from 'node:path'
import { findImported, findImporters, type ImportGraph } from './import-graph.ts'

/** Where tests run, the fastest first: `plain` is Node without anything else, for those that need no workerd. */
export const PROJECTS = ['plain', 'web', 'worker'] as const
export type Project = (typeof PROJECTS)[number]

/** Folders whose tests judge; others start whole systems. */
const TESTED = /^(?:contract|media|worker|web|local\/(?:clerk|edge|testing))\//
/** So many times as many tests of Node alone: they take a tenth of the time. */
const PLAIN_SHARE = 3
const IS_TEST = /\.test\.tsx?$/

function projectOf(test: string, imported: ReadonlySet<string>): Project {
  if (test.endsWith('.node.test.ts')) return 'plain'
  if (test.startsWith('web/')) return 'web'
  return [...imported].some((file) => file.startsWith('cloudflare:')) ? 'worker' : 'plain'
}

/**
 * Chooses the tests of a file, for each project the nearest: those that stand beside it, then by the number of imports
 * between them. @param most of the projects that take seconds to start
 */
export function chooseTests(graph: ImportGraph, file: string, most: number): Record<Project, string[]> {
  const name = file.replace(/\.tsx?$/, '.')
  const rankOf = (test: string, distance: number) =>
    test.startsWith(name) ? 0 : distance + (dirname(test) === dirname(file) ? 0 : 0.5)
  const ranked = [...findImporters(graph, file)]
    .filter(([importer]) => IS_TEST.test(importer) && TESTED.test(importer))
    .map(([test, distance]) => {
      const imported = findImported(graph, test)
      return { test, rank: rankOf(test, distance), size: imported.size, project: projectOf(test, imported) }
    })
    // Of tests at the same distance, those that run less are more about this file.
    .toSorted((a, b) => a.rank - b.rank || a.size - b.size)
  const chosen = (project: Project, count = most) =>
    ranked
      .filter((each) => each.project === project)
      .map(({ test }) => test)
      .slice(0, count)
  return { plain: chosen('plain', PLAIN_SHARE * most), web: chosen('web'), worker: chosen('worker') }
}

import { UNPUBLISHED } from '#contract/module.ts'
import type { ModuleRow } from './module-store.ts'

/** What the address of a link has in it: the id of the module, or the code of a link that took the place of that one. */
export function linkIdOf({ id, linkCode }: Pick<ModuleRow, 'id' | 'linkCode'>): string {
  return linkCode ?? id
}

/** Whether the link of a module has come to its end. */
export function hasLinkEnded({ linkEndsAt }: Pick<ModuleRow, 'linkEndsAt'>, nowMs: number): boolean {
  return linkEndsAt !== null && linkEndsAt <= nowMs
}

/** Whether anything of a module may be shown to others than its owners: it is shared, and not waiting for its first version. */
export function isForOthers({ shared, publishedVersion }: Pick<ModuleRow, 'shared' | 'publishedVersion'>): boolean {
  return shared && publishedVersion !== UNPUBLISHED
}

/** What decides who may open a module besides its owners. */
export type LinkFields = Pick<ModuleRow, 'shared' | 'publishedVersion' | 'linkCode' | 'linkEndsAt' | 'linkPassword'>

/**
 * Whether whoever has the id of a module may open it. Where its link has a password or is not the first one any more, the
 * page of the link is the only way.
 */
export function isOpenById(module: LinkFields, nowMs: number): boolean {
  return isForOthers(module) && module.linkCode === null && module.linkPassword === null && !hasLinkEnded(module, nowMs)
}

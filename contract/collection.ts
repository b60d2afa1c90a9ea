import { z } from 'zod'
import { COLLECTION_MODULES_MAX, MODULE_TITLE_MAX_CHARS } from './limits.ts'
import { Module } from './module.ts'
import { Success } from './problem.ts'

/** Modules under one title and one public link, in the order that their owner gives them. */
const CollectionHead = z.object({
  id: z.string(),
  title: z.string(),
  /** Whether anyone with the link can view it. A module whose own sharing is off is not in it for them. */
  shared: z.boolean(),
  /** Path of its public page. */
  shareUrl: z.string(),
  /** Deleting is for the person who made it and for those who manage the organization's modules. */
  mayDelete: z.boolean(),
})

/** A collection in the list of its owner. */
export const ListedCollection = CollectionHead.extend({ moduleCount: z.number().int() })
export type ListedCollection = z.infer<typeof ListedCollection>

/** Answer of `GET /api/collections`: those of the active organization, otherwise of the caller, newest first. */
export const CollectionListAnswer = Success.extend({ collections: z.array(ListedCollection) })
export type CollectionListAnswer = z.infer<typeof CollectionListAnswer>

/** A collection with its modules, in order; deleted ones have left it. */
export const Collection = CollectionHead.extend({ modules: z.array(Module) })
export type Collection = z.infer<typeof Collection>

/** Answer of every call about one collection that is not deleted by it. */
export const CollectionAnswer = Success.extend({ collection: Collection })
export type CollectionAnswer = z.infer<typeof CollectionAnswer>

const title = z.string().trim().min(1).max(MODULE_TITLE_MAX_CHARS)

/** Body of `POST /api/collections`. */
export const NewCollection = z.strictObject({ title })
export type NewCollection = z.infer<typeof NewCollection>

/** Body of `PATCH /api/collections/{id}`. */
export const CollectionPatch = z
  .strictObject({
    title,
    shared: z.boolean(),
    /** All modules in their new order; what its owner does not have is left out. */
    moduleIds: z.array(z.string().max(64)).max(COLLECTION_MODULES_MAX),
  })
  .partial()
  .refine((patch) => Object.keys(patch).length > 0, 'Nothing to change')
export type CollectionPatch = z.infer<typeof CollectionPatch>

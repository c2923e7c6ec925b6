// A seller's profile: schema and presentation.

import { z } from 'zod';

import { isoTimestamp } from '../../base/clock.ts';
import { publicUrl } from '../../base/listing/public-url.ts';
import { SELLER_STATUSES, type SellerProfile } from '../../base/listing/seller.ts';
import { count, text, tokenFields } from './fields.ts';

const Location = z
  .strictObject({
    city: text('The city.'),
    state: text('The state or province, as the page states it.'),
    postal_code: text('The postal code.'),
    country: text('The country, as the page states it.'),
  })
  .nullable()
  .meta({
    description: "Where the seller is registered; `null` if the seller's page does not state it.",
  });

export const SellerRecord = z
  .strictObject({
    seller_id: text("The 32 characters of the seller's ID."),
    seller_name: text('The name of the seller as shown to buyers.'),
    rating: z.number().min(0).max(5).nullable().meta({
      description: 'The average rating in stars, 0 to 5; `null` for a seller without ratings.',
    }),
    rating_count: count('The number of ratings that the page states.'),
    active_listings: count(
      'The number of items in the largest list on the page, which is the whole shop.',
    ),
    account_age_days: count('The age of the account in days; `null` unless a source states it.'),
    status: z
      .enum(SELLER_STATUSES)
      .nullable()
      .meta({
        description:
          'The status of the account, as a source states it. Otherwise `ACTIVE` if `active_listings` is ' +
          'above 0 or an offer of the seller was read today (UTC), `INACTIVE` if the page says that there ' +
          'are no listings, and `null` if neither is known.',
      }),
    seller_type: z.enum(['FIRST_PARTY', 'EXTERNAL']).nullable().meta({
      description:
        'The kind of seller. `FIRST_PARTY`: the retailer itself. `EXTERNAL`: a marketplace seller.',
    }),
    pro_seller: z
      .boolean()
      .nullable()
      .meta({ description: "Whether the seller has the retailer's Pro badge; `null` if unknown." }),
    profile_url: text("The URL of the seller's page."),
    categories: z.array(z.string()).nullable().meta({
      description: 'The categories in which the seller sells; `null` unless a source states them.',
    }),
    location: Location,
    _freshness: z
      .strictObject({
        refreshed_at: z.iso.datetime().meta({ description: 'When the profile was last fetched.' }),
      })
      .meta({ description: 'The age of the profile.' }),
    ...tokenFields,
  })
  .meta({ id: 'SellerProfile' });

export type SellerRecord = z.infer<typeof SellerRecord>;

/** Presents the profile, without the token fields. */
export function presentSellerRecord(
  seller: SellerProfile,
  fetchedAtMs: number,
): Omit<SellerRecord, 'tokens_consumed' | 'tokens_remaining'> {
  const { location } = seller;
  return {
    seller_id: seller.sellerId,
    seller_name: seller.name,
    rating: seller.rating,
    rating_count: seller.ratingCount,
    active_listings: seller.activeListings,
    account_age_days: seller.accountAgeDays,
    status: seller.status,
    seller_type: seller.sellerType,
    pro_seller: seller.proSeller,
    profile_url: publicUrl(seller.profileUrl),
    categories: seller.categories === null ? null : [...seller.categories],
    location:
      location === null
        ? null
        : {
            city: location.city,
            state: location.state,
            postal_code: location.postalCode,
            country: location.country,
          },
    _freshness: { refreshed_at: isoTimestamp(fetchedAtMs) },
  };
}

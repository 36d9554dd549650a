@testable import Feeds

/// Timelines of social networks, written for these tests.
enum SocialSamples {
  /// Statuses with everything a status can have.
  static let mastodon = #"""
    [
      {"id":"110","created_at":"2024-04-19T22:14:48.415Z","edited_at":"2024-04-19T22:15:22.000Z",
       "url":"https://tideline.example/@gauge/110","uri":"https://tideline.example/users/gauge/statuses/110",
       "content":"<p>High water at <a href=\"https://tideline.example/tags/pier\" class=\"mention hashtag\" rel=\"tag\">#<span>pier</span></a> :wave:</p><p><a href=\"https://charts.example/very/long\"><span class=\"invisible\">https://</span><span class=\"ellipsis\">charts.example/ve</span><span class=\"invisible\">ry/long</span></a></p>",
       "account":{"id":"1","username":"gauge","acct":"gauge","display_name":"Harbour \u001b[31mgauge",
        "url":"https://tideline.example/@gauge","avatar":"https://m.example/a.gif","avatar_static":"https://m.example/a.png"},
       "spoiler_text":"","sensitive":false,"language":"en","in_reply_to_id":"109","replies_count":3,
       "reblogs_count":12,"favourites_count":40,"tags":[{"name":"pier","url":"https://tideline.example/tags/pier"}],
       "emojis":[{"shortcode":"wave","static_url":"https://m.example/e.png"}],"filtered":[],"reblog":null,
       "media_attachments":[
        {"id":"1","type":"image","url":"https://m.example/1.jpeg","preview_url":"https://m.example/s1.jpeg",
         "description":"The pier","meta":{"original":{"width":1600,"height":1200},"small":{"width":400,"height":300}}},
        {"id":"2","type":"gifv","url":"https://m.example/2.mp4","preview_url":"https://m.example/2.png",
         "description":"Waves","meta":{"original":{"width":640,"height":480,"duration":3.5}}},
        {"id":"3","type":"image","url":"https://m.example/3.jpeg","preview_url":null,"description":null,"meta":null},
        {"id":"4","type":"audio","url":"https://m.example/4.ogg","preview_url":null,"description":"Surf","meta":{"original":{"duration":12}}}],
       "card":{"url":"https://charts.example/very/long","title":"Charts &amp; tides","width":"1400","height":"700","image":null},
       "poll":{"id":"5","expires_at":"2024-05-01T12:00:00.000Z","multiple":true,"votes_count":6,"voters_count":4,
        "options":[{"title":"Ebb","votes_count":4},{"title":"Flood","votes_count":2},{"title":"Neither","votes_count":null}]},
       "quote":{"state":"accepted","quoted_status":{"id":"90","created_at":"2024-04-18T00:00:00Z","content":"<p>Quoted words</p>",
        "account":{"username":"buoy","acct":"buoy@sea.example","display_name":"Buoy","url":"https://sea.example/@buoy"},"media_attachments":[]}}
      },
      {"id":111,"created_at":"2024-04-20T00:00:00Z","content":"","url":"https://sea.example/@ferry/111/boost",
       "account":{"username":"ferry","acct":"ferry@sea.example","display_name":"Ferry","url":"https://sea.example/@ferry"},
       "reblog":{"id":"77","created_at":"2024-04-17T00:00:00Z","content":"<p>Boosted words</p>","spoiler_text":"Storm ahead",
        "sensitive":true,"url":"https://sea.example/@buoy/77","account":{"username":"buoy","acct":"buoy@sea.example","display_name":"Buoy","url":"https://sea.example/@buoy"}}
      },
      {"id":"112","created_at":"2024-04-20T00:00:00Z","content":"<p>Warned</p>","sensitive":true,"account":{"acct":"a@b.example","display_name":"A"},
       "filtered":[{"filter":{"title":"weather","filter_action":"warn"}}]},
      {"id":"113","created_at":"2024-04-20T00:00:00Z","content":"<p>Hidden</p>","account":{"acct":"a@b.example","display_name":"A"},
       "filtered":[{"filter":{"title":"sport","filter_action":"hide"}}]},
      {"id":"114","created_at":"2024-04-20T00:00:00Z","content":["odd"],"account":{"acct":"a@b.example","display_name":"A"},
       "quote":{"state":"revoked","quoted_status":null}}
    ]
    """#

  /// An archive's outbox, and what else a collection of activities may hold.
  static let outbox = #"""
    {"@context":"https://www.w3.org/ns/activitystreams","id":"outbox.json","type":"OrderedCollection","totalItems":4,
     "next":"https://tideline.example/users/gauge/outbox?page=2",
     "orderedItems":[
      {"id":"https://tideline.example/users/gauge/statuses/1/activity","type":"Create",
       "actor":"https://tideline.example/users/gauge","published":"2023-02-07T10:00:00Z",
       "to":["https://www.w3.org/ns/activitystreams#Public"],
       "object":{"id":"https://tideline.example/users/gauge/statuses/1","type":"Note","summary":"Storm","sensitive":true,
        "inReplyTo":"https://sea.example/users/buoy/statuses/9","published":"2023-02-07T10:00:00Z",
        "url":"https://tideline.example/@gauge/1","attributedTo":"https://tideline.example/users/gauge",
        "content":"<p>First <b>words</b></p>","contentMap":{"en":"<p>First <b>words</b></p>"},
        "attachment":[
         {"type":"Document","mediaType":"image/jpeg","url":"/media_attachments/files/1.jpeg","name":"A pier","width":800,"height":600},
         {"type":"Document","mediaType":"video/mp4","url":"/media_attachments/files/2.mp4","name":"Waves"}],
        "tag":[{"type":"Hashtag","href":"https://tideline.example/tags/pier","name":"#pier"},{"type":"Mention","name":"@buoy"}],
        "replies":{"type":"Collection","totalItems":2},"likes":{"type":"Collection","totalItems":7},"shares":{"type":"Collection","totalItems":3}}},
      {"id":"https://tideline.example/users/gauge/statuses/2/activity","type":"Announce",
       "actor":"https://tideline.example/users/gauge","published":"2023-02-08T10:00:00Z",
       "object":"https://sea.example/users/buoy/statuses/42"},
      {"id":"https://tideline.example/q","type":"Question","content":"Ebb or flood?","attributedTo":
       {"type":"Person","id":"https://sea.example/users/ferry","preferredUsername":"ferry","name":"The ferry","icon":{"type":"Image","url":"https://sea.example/f.png"}},
       "oneOf":[{"type":"Note","name":"Ebb","replies":{"totalItems":3}},{"type":"Note","name":"Flood","replies":{"totalItems":1}}],
       "endTime":"2023-03-01T00:00:00Z"},
      {"id":"https://tideline.example/l","type":"Like","actor":"https://tideline.example/users/gauge","object":"https://sea.example/users/buoy/statuses/43"}
     ]}
    """#

  /// A feed of Bluesky with every kind of embed. The facets of the first post count bytes: the wave
  /// before them takes four.
  static let bluesky = #"""
    {"cursor":"2024-04-19T00:00:00Z::abc","feed":[
      {"post":{"uri":"at://did:plc:gauge/app.bsky.feed.post/3k1","cid":"c1",
        "author":{"did":"did:plc:gauge","handle":"gauge.tideline.example","displayName":"Harbour gauge","avatar":"https://cdn.example/a.jpg"},
        "record":{"$type":"app.bsky.feed.post","text":"🌊 tides at charts.example #pier @buoy\n\nsecond","createdAt":"2024-04-19T10:00:00.000Z","langs":["en"],
         "reply":{"parent":{"uri":"at://did:plc:buoy/app.bsky.feed.post/0","cid":"p"},"root":{"uri":"at://did:plc:buoy/app.bsky.feed.post/0","cid":"p"}},
         "facets":[
          {"index":{"byteStart":14,"byteEnd":28},"features":[{"$type":"app.bsky.richtext.facet#link","uri":"https://charts.example/very/long"}]},
          {"index":{"byteStart":29,"byteEnd":34},"features":[{"$type":"app.bsky.richtext.facet#tag","tag":"pier"}]},
          {"index":{"byteStart":35,"byteEnd":40},"features":[{"$type":"app.bsky.richtext.facet#mention","did":"did:plc:buoy"}]}]},
        "embed":{"$type":"app.bsky.embed.images#view","images":[
         {"thumb":"https://cdn.example/t.jpg","fullsize":"https://cdn.example/f.jpg","alt":"The pier","aspectRatio":{"width":4,"height":3}}]},
        "replyCount":3,"repostCount":12,"likeCount":40,"indexedAt":"2024-04-19T10:00:01.000Z","labels":[{"val":"graphic-media"},{"val":"!no-unauthenticated"}]}},
      {"post":{"uri":"at://did:plc:buoy/app.bsky.feed.post/3k2","cid":"c2","author":{"did":"did:plc:buoy","handle":"buoy.example"},
        "record":{"text":"reposted","createdAt":"2024-04-18T10:00:00.000Z"},
        "embed":{"$type":"app.bsky.embed.external#view","external":{"uri":"https://charts.example/","title":"Charts","description":"d","thumb":"https://cdn.example/x.jpg"}},
        "indexedAt":"2024-04-18T10:00:01.000Z"},
       "reason":{"$type":"app.bsky.feed.defs#reasonRepost","by":{"did":"did:plc:ferry","handle":"ferry.example","displayName":"Ferry"},"indexedAt":"2024-04-19T11:00:00Z"}},
      {"post":{"uri":"at://did:plc:gauge/app.bsky.feed.post/3k3","cid":"c3","author":{"did":"did:plc:gauge","handle":"gauge.tideline.example"},
        "record":{"text":"both","createdAt":"2024-04-17T10:00:00.000Z"},
        "embed":{"$type":"app.bsky.embed.recordWithMedia#view",
         "media":{"$type":"app.bsky.embed.video#view","cid":"v","playlist":"https://video.example/p.m3u8","thumbnail":"https://video.example/t.jpg","alt":"Waves","aspectRatio":{"width":1920,"height":1080}},
         "record":{"record":{"$type":"app.bsky.embed.record#viewRecord","uri":"at://did:plc:buoy/app.bsky.feed.post/3k0","cid":"q","author":{"did":"did:plc:buoy","handle":"buoy.example","displayName":"Buoy"},
          "value":{"text":"quoted words","createdAt":"2024-04-16T10:00:00.000Z"},"embeds":[{"images":[{"fullsize":"https://cdn.example/q.jpg","alt":"Quoted picture"}]}]}}},
        "indexedAt":"2024-04-17T10:00:01.000Z"}},
      {"post":{"uri":"at://did:plc:gauge/app.bsky.feed.post/3k4","cid":"c4","author":{"did":"did:plc:gauge","handle":"gauge.tideline.example"},
        "record":{"text":"gone","createdAt":"2024-04-16T10:00:00.000Z","facets":[{"index":{"byteStart":2,"byteEnd":99},"features":[]}]},
        "embed":{"$type":"app.bsky.embed.record#view","record":{"$type":"app.bsky.embed.record#viewNotFound","uri":"at://did:plc:x/app.bsky.feed.post/1","notFound":true}},
        "indexedAt":"2024-04-16T10:00:01.000Z"}}
    ]}
    """#

  static let all: [(FeedFormat, String)] = [
    (.mastodon, mastodon), (.activitypub, outbox), (.bluesky, bluesky),
  ]
}
